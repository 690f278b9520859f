"""The tools of a run: strict arguments, the disclosure ladder, replies that the model can act on."""
