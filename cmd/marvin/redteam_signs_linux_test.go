package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"marvin/messages"
)

// judge looks for the signs.
func (s *attackScene) judge(result *outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sign := range s.Escaped {
		if found := s.there(s.places.Replace(sign), *result); found != "" {
			result.Escaped = found
			break
		}
	}
	for _, sign := range s.Held {
		if s.there(s.places.Replace(sign), *result) == "" {
			result.Missing = sign
		}
	}
	for _, said := range s.results() {
		if len(result.Results) < 20 {
			result.Results = append(result.Results, said[:min(len(said), 400)])
		}
	}
}

// results returns the tool results in the last model request.
func (s *attackScene) results() (all []string) {
	if len(s.asked) == 0 {
		return nil
	}
	var last struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.Unmarshal([]byte(s.asked[len(s.asked)-1]), &last) // what has other fields has no results
	for _, message := range last.Messages {
		if message.Role == string(messages.Tool) {
			all = append(all, message.Content)
		}
	}
	return all
}

// there returns what a check found, "" if nothing:
//
//	file PATH          the file exists; PATH is a pattern
//	text PATH TEXT     it contains the text
//	unsaid WORD PATH   it exists, and standard output and error lack the word
//	gone PATH          it does not exist
//	mode PATH OCTAL    it has one of these permissions
//	more PATH N        the pattern matches more than N files
//	told TEXT          the model or a script got the text
//	untold TEXT        the model did not get it
//	unmarked WORDS, TEXT  a tool result has the text but not the words
//	taken TEXT         the stranger's server received it
//	asked N            the model was asked more than N times
//	says TEXT          standard output or error has it
//	steers             the terminal got control sequences
//	memory N           more than N MiB were used
//	hung               it did not end
//	exit N             it ended with that code
func (s *attackScene) there(sign string, result outcome) string {
	verb, rest, _ := strings.Cut(sign, " ")
	path, more, _ := strings.Cut(rest, " ")
	number, _ := strconv.ParseInt(more, 10, 64)
	switch verb {
	case "file", "more":
		if found, _ := filepath.Glob(path); int64(len(found)) > number {
			return fmt.Sprintf("%s (%d)", found[0], len(found))
		}
		return ""
	case "unsaid":
		if found(result.Output, path, path) == "" {
			return s.there("file "+more, result)
		}
		return ""
	case "text":
		return found(readFile(path), more, path)
	case "gone":
		if _, err := os.Lstat(path); err != nil {
			return path + " is gone"
		}
		return ""
	case "mode":
		bits, _ := strconv.ParseUint(more, 8, 32)
		if info, err := os.Stat(path); err == nil && uint64(info.Mode().Perm())&bits != 0 {
			return fmt.Sprintf("%s is %s", path, info.Mode())
		}
		return ""
	case "told":
		return around(strings.Join(s.asked, "\n")+s.said, rest)
	case "untold":
		if found(strings.Join(s.asked, "\n"), rest, rest) == "" {
			return "the model was not told " + rest
		}
		return ""
	case "unmarked":
		mark, text, _ := strings.Cut(rest, ", ")
		for _, said := range append(s.results(), s.said) {
			if !strings.Contains(said, mark) && strings.Contains(said, text) {
				return around(said, text)
			}
		}
		return ""
	case "taken":
		return found(strings.Join(s.taken, "\n"), rest, "the server got "+rest)
	case "says":
		return found(result.Output, rest, rest)
	}
	return s.measured(verb, rest, result)
}

func (s *attackScene) measured(verb, rest string, result outcome) string {
	limit, _ := strconv.ParseInt(rest, 10, 64)
	switch {
	case verb == "asked" && int64(len(s.asked)) > limit:
		return fmt.Sprintf("%d requests", len(s.asked))
	case verb == "memory" && result.Peak > limit:
		return fmt.Sprintf("%d MiB", result.Peak)
	case verb == "hung" && result.Hung:
		return fmt.Sprintf("no end after %.0f s", result.Took)
	case verb == "exit" && int64(result.Exit) == limit:
		return "exit code " + rest
	case verb == "steers":
		if at := steeringAt(result.Output); at >= 0 {
			return fmt.Sprintf("the terminal was sent %+q", result.Output[at:min(at+12, len(result.Output))])
		}
	}
	return ""
}

// found returns a description if a text contains another one, otherwise "".
func found(text, part, what string) string {
	if part != "" && strings.Contains(text, part) {
		return what
	}
	return ""
}

// around returns a text with its surroundings in the last model request.
func around(told, text string) string {
	at := strings.Index(told, text)
	if text == "" || at < 0 {
		return ""
	}
	return fmt.Sprintf("the model was told %q", told[max(0, at-200):min(len(told), at+len(text)+40)])
}

func readFile(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return "" // it is not there, or not to be read: then nothing is in it
	}
	return string(content)
}
