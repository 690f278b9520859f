"""Models behind the SDK's `Model` interface, and the guard that every one of them is wrapped in."""
