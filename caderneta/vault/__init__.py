"""The disk: files, locks, the workspace and the watcher."""
