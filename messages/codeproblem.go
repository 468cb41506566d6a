package messages

// CodeProblem is something wrong in a file, as a language server or a compiler says.
type CodeProblem struct {
	Path     string   `json:"path"`
	Line     int      `json:"line"`             // from 1
	Column   int      `json:"column,omitempty"` // from 1, in characters; 0 if it is not known
	Severity Severity `json:"severity"`
	Source   string   `json:"source,omitempty"` // who says so
	Code     string   `json:"code,omitempty"`
	Text     string   `json:"text"`
}

// Severity is how bad a problem is.
type Severity string

// The severities that are told.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)
