package main

// openFiles is 0: there is no limit that matters.
func openFiles() int { return 0 }
