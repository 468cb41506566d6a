package messages

import "time"

// ListArtifacts asks for [Artifacts].
type ListArtifacts struct{}

// Artifacts contains the stored tool outputs of the conversation, ordered by number.
type Artifacts struct {
	All []Artifact `json:"artifacts"`
}

// Artifact is one stored tool output.
type Artifact struct {
	Number  int       `json:"number"`
	Address string    `json:"address"`           // for tools: "artifact:" followed by Number
	Path    string    `json:"path,omitempty"`    // the file that contains the output
	Tool    string    `json:"tool,omitempty"`    // the tool that wrote the output
	Title   string    `json:"title,omitempty"`   // a short description, shown to the user
	At      time.Time `json:"at"`                // when the output was stored
	Size    int64     `json:"size"`              // bytes stored; less than Total if the output exceeds the size limit
	Total   int64     `json:"total"`             // bytes of the whole output
	Lines   int64     `json:"lines,omitempty"`   // lines in the stored part
	Media   string    `json:"media,omitempty"`   // media type; "" is text
	Foreign bool      `json:"foreign,omitempty"` // the output comes from an outside source
}
