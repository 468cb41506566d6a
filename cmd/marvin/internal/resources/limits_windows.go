package resources

// OpenFiles returns 0, meaning no limit.
func OpenFiles() int { return 0 }
