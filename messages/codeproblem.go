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

// FileProblems are what one language server says of one file as it is now; none means that
// it finds nothing. Of a file that is gone nobody says anything: Server is "".
type FileProblems struct {
	Path     string        `json:"path"`
	Server   string        `json:"server,omitempty"`
	Problems []CodeProblem `json:"problems"`
}

// Diagnosed says what is known of problems in files now, in the place of what the same
// server said of them before, and which language servers run. Files that are not listed are
// as they were.
type Diagnosed struct {
	Files   []FileProblems `json:"files,omitempty"`
	Servers []string       `json:"servers"`
}
