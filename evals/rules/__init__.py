"""What the submission rules are measured with: valid submissions, mutations of them, labelled pairs of statements."""
