package messages

import "time"

// ListArtifacts asks for [Artifacts].
type ListArtifacts struct{}

// Artifacts lists tool outputs of this conversation that were too long for the model to read at
// once. The list is in numerical order. Each output is stored whole.
type Artifacts struct {
	All []Artifact `json:"artifacts"`
}

// Artifact is one stored tool output.
type Artifact struct {
	Number  int       `json:"number"`
	Address string    `json:"address"`           // where tools read it: artifact:7
	Path    string    `json:"path,omitempty"`    // the file that holds it
	Tool    string    `json:"tool,omitempty"`    // the tool that wrote it
	Title   string    `json:"title,omitempty"`   // a description of the call for the user
	At      time.Time `json:"at"`                // when
	Size    int64     `json:"size"`              // how many bytes are stored
	Total   int64     `json:"total"`             // bytes of the whole output
	Lines   int64     `json:"lines,omitempty"`   // how many lines the stored part has
	Media   string    `json:"media,omitempty"`   // media type; "" is text
	Foreign bool      `json:"foreign,omitempty"` // its text was not written by the user or Marvin
}
