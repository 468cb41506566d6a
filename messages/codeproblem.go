package messages

// CodeProblem is a problem that a language server or a compiler found in a file.
type CodeProblem struct {
	Path     string   `json:"path"`
	Line     int      `json:"line"`             // from 1
	Column   int      `json:"column,omitempty"` // in characters, counted from 1; 0 if unknown
	Severity Severity `json:"severity"`
	Source   string   `json:"source,omitempty"` // the program that reported the problem
	Code     string   `json:"code,omitempty"`
	Text     string   `json:"text"`
}

// Severity is how bad a problem is.
type Severity string

// The severities that Marvin reports.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// FileProblems is one language server's current report on a file. An empty list means that the file
// is clean. For a deleted file, Server is "".
type FileProblems struct {
	Path     string        `json:"path"`
	Server   string        `json:"server,omitempty"`
	Problems []CodeProblem `json:"problems"`
}

// Diagnosed contains language servers' current reports on files, and lists the running servers. A
// report replaces only the earlier report that the same server made on that file.
type Diagnosed struct {
	Files   []FileProblems `json:"files,omitempty"`
	Servers []string       `json:"servers"`
}
