package cli

// Finding is one line of the doctor: what it looked at, how it is, what mends it.
type Finding struct {
	What, State string
	Good        bool
	Mend        string
}
