package doctor

import (
	"runtime"
	"strings"
)

// The doctor's JSON output (docs/configuration.md). Fields are added, never renamed.
type (
	Report struct {
		Version  string                   `json:"version"`
		Go       string                   `json:"go"`
		System   string                   `json:"system"`
		Answers  bool                     `json:"answers"` // a model is available; if none is, the exit status is 1
		Provider string                   `json:"provider,omitempty"`
		Model    string                   `json:"model,omitempty"`
		Why      string                   `json:"why,omitempty"` // reason for the choice
		Wrong    string                   `json:"wrong,omitempty"`
		Findings map[string][]findingTold `json:"findings"` // by section: models, files, …
	}
	findingTold struct {
		What  string `json:"what"`
		Good  bool   `json:"good"`
		State string `json:"state"`
		Mend  string `json:"mend,omitempty"`
	}
)

func (d diagnosis) forPrograms() Report {
	all := Report{
		Version: d.version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Answers: d.wrong == nil,
		Provider: d.selection.Provider, Model: d.selection.Model, Why: d.selection.Why, Findings: map[string][]findingTold{},
	}
	if d.wrong != nil {
		all.Wrong = d.wrong.Error()
	}
	for _, part := range d.sections {
		list := []findingTold{}
		for _, f := range part.findings {
			one := findingTold{What: f.What, Good: f.Good, State: f.State}
			if !f.Good {
				one.Mend = f.Mend
			}
			list = append(list, one)
		}
		all.Findings[strings.ToLower(part.title)] = list
	}
	return all
}
