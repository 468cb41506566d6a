package doctor

import (
	"runtime"
	"strings"

	"marvin/cmd/marvin/internal/cli"
)

// Report is the JSON output of "marvin doctor", as described in docs/configuration.md. Existing
// fields must keep their names.
type Report struct {
	Version  string                   `json:"version"`
	Go       string                   `json:"go"`
	System   string                   `json:"system"`
	Answers  bool                     `json:"answers"` // whether a model is available; if false, the exit status is 1
	Provider string                   `json:"provider,omitempty"`
	Model    string                   `json:"model,omitempty"`
	Why      string                   `json:"why,omitempty"` // the reason for the choice
	Wrong    string                   `json:"wrong,omitempty"`
	Findings map[string][]cli.Finding `json:"findings"` // keyed by section: models, files, …
}

func (d diagnosis) forPrograms() Report {
	all := Report{
		Version: d.version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Answers: d.wrong == nil,
		Provider: d.selection.Provider, Model: d.selection.Model, Why: d.selection.Why, Findings: map[string][]cli.Finding{},
	}
	if d.wrong != nil {
		all.Wrong = d.wrong.Error()
	}
	for _, part := range d.sections {
		list := []cli.Finding{}
		for _, f := range part.findings {
			if f.Good {
				f.Mend = ""
			}
			list = append(list, f)
		}
		all.Findings[strings.ToLower(part.title)] = list
	}
	return all
}
