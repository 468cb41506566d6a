package cli

// Finding is one line of the output of "marvin doctor": a subject, its state, and a remedy if there
// is a problem.
type Finding struct {
	What  string `json:"what"`
	Good  bool   `json:"good"`
	State string `json:"state"`
	Mend  string `json:"mend,omitempty"`
}
