package cli

// Finding is one line of the doctor: the subject, its state, and the remedy.
type Finding struct {
	What, State string
	Good        bool
	Mend        string
}
