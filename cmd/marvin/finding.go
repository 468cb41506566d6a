package main

// finding is one line of the doctor: what it looked at, how it is, what mends it.
type finding struct {
	what, state string
	good        bool
	mend        string
}

type section struct {
	title    string
	findings []finding
}
