package messages

import "time"

// ListArtifacts asks for [Artifacts].
type ListArtifacts struct{}

// Artifacts are what tools put out in this conversation beyond what a model reads at once,
// in the order of their numbers. Each of them is kept whole.
type Artifacts struct {
	All []Artifact `json:"artifacts"`
}

// Artifact is such an output.
type Artifact struct {
	Number  int       `json:"number"`
	Address string    `json:"address"`           // where tools read it: artifact:7
	Path    string    `json:"path,omitempty"`    // the file that holds it
	Tool    string    `json:"tool,omitempty"`    // which put it out
	Title   string    `json:"title,omitempty"`   // the call, for people
	At      time.Time `json:"at"`                // when
	Size    int64     `json:"size"`              // bytes that are kept
	Total   int64     `json:"total"`             // bytes that there were
	Lines   int64     `json:"lines,omitempty"`   // of the kept part
	Media   string    `json:"media,omitempty"`   // media type; "" is text
	Foreign bool      `json:"foreign,omitempty"` // strangers wrote it
}
