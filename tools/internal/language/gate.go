package language

import (
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages"
)

// These constants limit the stored part of a server's reports. A model receives even less.
const (
	mostProven  = 500     // the maximum number of problems in an open file
	mostLoose   = 50      // the maximum number of problems in a file that is not open
	longestWord = 1000    // the maximum number of bytes in each string of a problem
	longestData = 8 << 10 // the maximum size of diagnostic.Data (Session.Actions needs the data)
)

// slim returns the part of a list that Marvin stores. The result shares no memory with the received
// message.
func slim(list []diagnostic, most int) []diagnostic {
	kept := slices.Clone(list[:min(len(list), most)])
	for i := range kept {
		kept[i].Message = strings.Clone(shorten(kept[i].Message, longestWord))
		kept[i].Source = strings.Clone(shorten(kept[i].Source, longestWord))
		if len(kept[i].Code) > longestWord {
			kept[i].Code = nil
		}
		if len(kept[i].Data) > longestData {
			kept[i].Data = nil
		}
	}
	return kept
}

// recordProblems handles published problems. It drops problems that may be about older content,
// because stale problems are worse than none.
func (s *held) recordProblems(published publishParams) {
	path := pathOf(published.URI)
	if path == "" || !s.inRoot(path) {
		return
	}
	list := slim(published.Diagnostics, mostProven)
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.documents[path]
	switch {
	case doc == nil || !doc.open:
		if len(s.loose) < 2000 || len(list) == 0 {
			if s.loose[path] = slim(list, mostLoose); len(list) == 0 {
				delete(s.loose, path)
			}
		}
	case published.Version != nil && *published.Version == doc.version,
		published.Version == nil && doc.contents == 1 && !s.versioned:
		doc.proven, doc.known = list, true
	default:
		return
	}
	if published.Version != nil && doc != nil && doc.open {
		s.versioned = true
	}
	close(s.news)
	s.news = make(chan struct{})
}

// problems returns the problems in a file. The second result is true if the list is valid. The
// third is true if the file on disk no longer matches the content that the server has.
func (s *held) problems(path string) (list []messages.CodeProblem, known, moved bool) {
	s.mu.Lock()
	doc := s.documents[path]
	if doc == nil || !doc.open || !doc.known {
		s.mu.Unlock()
		return nil, false, false
	}
	content := doc.text.whole
	list = s.converted(path, doc.text, doc.proven)
	s.mu.Unlock()
	now, err := s.ground.Read(path)
	if err != nil || string(now) != content {
		return nil, false, true
	}
	return list, true, false
}

// converted returns the errors and warnings in a server's diagnostics, errors first.
func (s *held) converted(path string, of text, list []diagnostic) []messages.CodeProblem {
	problems := []messages.CodeProblem{}
	for _, one := range list {
		severity := messages.SeverityError
		switch one.Severity {
		case 2:
			severity = messages.SeverityWarning
		case 3, 4:
			continue
		}
		problems = append(problems, messages.CodeProblem{
			Path: s.local(path), Line: one.Range.Start.Line + 1, Column: of.column(one.Range.Start),
			Severity: severity, Source: oneLine(one.Source, 40), Code: oneLine(codeText(one.Code), 40), Text: oneLine(one.Message, 400),
		})
	}
	slices.SortStableFunc(problems, func(a, b messages.CodeProblem) int {
		if a.Severity != b.Severity {
			return strings.Compare(string(a.Severity), string(b.Severity)) // errors come before warnings
		}
		return a.Line - b.Line
	})
	return problems
}

func codeText(code json.RawMessage) string {
	var name string
	if json.Unmarshal(code, &name) == nil {
		return name
	}
	if text := string(code); len(text) > 0 && text[0] >= '0' && text[0] <= '9' || strings.HasPrefix(text, "-") {
		return text
	}
	return ""
}

func oneLine(text string, most int) string {
	return shorten(strings.Join(strings.Fields(text), " "), most)
}
