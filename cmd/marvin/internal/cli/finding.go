package cli

// Finding is one line of the doctor: the subject, its state, and the remedy.
type Finding struct {
	What  string `json:"what"`
	Good  bool   `json:"good"`
	State string `json:"state"`
	Mend  string `json:"mend,omitempty"`
}
