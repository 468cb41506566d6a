package budget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"marvin/messages"
)

// Removal describes a tool result to remove from the context. The call itself stays.
type Removal struct {
	At      int    // the index of the message that contains the result
	Name    string // the name of the tool
	Text    string // the unchanged text, without its frame
	Foreign bool   // the result was enclosed in the frame of untrusted text
	Address string // the address at which the text can be read again; "" for none
	Empty   bool   // the result is empty, so its note needs no address
	Stays   bool   // the text is short and stays; only the pictures are removed
	Again   bool   // the text is outdated: a later call read the file again or changed the file
	Saves   int    // the number of tokens that the removal frees
}

const (
	leastLeaving = 400 // the minimum size, in tokens, of a nonempty text that [Prune] removes
	enoughShare  = 60  // the target size for [Prune], as a percentage of [Limits.Compact]
)

// Prune chooses results whose removal shrinks the conversation well below [Limits.Compact]. It
// chooses all outdated file contents. Until the conversation is small enough, Prune also chooses
// empty results, and then the oldest results. It never chooses one of the last messages. If only a
// summary can shrink the conversation enough, Prune returns nil.
//
// After a removal or a summary, the provider must reread all later messages. One large removal is
// therefore better than several small ones.
func Prune(input Input) []Removal {
	all, size := input.Messages, input.Fixed
	plan := Plan{input: input}
	size += plan.size(all)
	enough := input.Limits.Compact * enoughShare / 100
	old, again := borderBefore(all, len(all)-keepLast), superseded(all)
	var leaving []Removal
	for _, wanted := range []bool{true, false} {
		for at := range max(old, 0) {
			empty := uneventful(all[at])
			if size <= enough && !again[at] || all[at].Role != messages.Tool || (again[at] || empty) != wanted {
				continue
			}
			tokens, pictures := input.Count(all[at].Result.Text), pictureTokens*removablePictures(all[at])
			one := leave(at, all[at])
			if one.Stays = tokens < leastLeaving && !empty; one.Stays {
				tokens = 0
			}
			if tokens+pictures == 0 {
				continue
			}
			one.Saves = tokens + pictures - input.Count(one.note())
			leaving = append(leaving, one)
			size -= one.Saves
		}
	}
	if size > max(enough, input.Least) {
		return nil
	}
	slices.SortFunc(leaving, func(a, b Removal) int { return a.At - b.At })
	return leaving
}

// kept is a pattern for the note in a shortened result. The pattern captures the address of the
// whole output.
var kept = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bare (?:stored as )?((?:artifact|agent):[^\n]*?): read_file \{`)
})

func leave(at int, message messages.Message) Removal {
	text := messages.Unframe(message.Result.Text)
	one := Removal{At: at, Name: message.Result.Name, Text: text, Foreign: text != message.Result.Text, Empty: uneventful(message)}
	if found := kept().FindStringSubmatch(text); found != nil {
		one.Address = found[1]
	}
	return one
}

// superseded returns the indexes of results with outdated file contents. A result is outdated if a
// later call read the same part of the file again, or changed the file. A result to which a
// repetition note refers is never outdated.
func superseded(all []messages.Message) map[int]bool {
	type page struct{ path, whole string } // the path of a read, and the result of pageOf
	of := map[string]page{}                // by call id
	changes := map[string][]string{}       // by call id
	read, changed := map[string]int{}, map[string]int{}
	pages := map[int]page{}
	pointed := map[string]bool{}
	for at, message := range all {
		for _, call := range message.Calls {
			if call.Name == "read_file" {
				of[call.ID] = page{path: named(call.Args), whole: pageOf(call.Args)}
			} else if paths := written(call); len(paths) > 0 {
				changes[call.ID] = paths
			}
		}
		result := message.Result
		if message.Role != messages.Tool || result.Status != messages.OK {
			continue
		}
		for _, path := range changes[result.Call] {
			changed[path] = at
		}
		if one := of[result.Call]; one.path != "" {
			pages[at], read[one.whole] = one, at
		}
		pointed[pointsAt(result.Text)] = true
	}
	again := map[int]bool{}
	for at, one := range pages {
		again[at] = (read[one.whole] > at || changed[one.path] > at) && !pointed[all[at].Result.Call]
	}
	return again
}

// pageOf normalizes the arguments of a read_file call. It sorts the keys and cleans the path.
func pageOf(args json.RawMessage) string {
	var arguments map[string]any
	if json.Unmarshal(args, &arguments) != nil {
		return ""
	}
	arguments["path"] = named(args)
	same, _ := json.Marshal(arguments)
	return string(same)
}

// onlyReads reports whether the tool with this name leaves files unchanged. It returns false for an
// unknown name.
func onlyReads(name string) bool {
	switch name {
	case "code_rename", "code_actions", "git_checkout", "git_commit":
		return false
	}
	for _, begin := range [...]string{"read_", "list_", "find_", "search_", "code_", "git_", "grep", "glob", "tree", "view_"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// written returns the paths of the files that a call changes.
func written(call messages.ToolCall) (paths []string) {
	if onlyReads(call.Name) {
		return nil
	}
	if path := named(call.Args); path != "" {
		paths = append(paths, path)
	}
	var of struct {
		Patch string `json:"patch"`
	}
	_ = json.Unmarshal(call.Args, &of) // without valid arguments, Patch is empty
	for line := range strings.Lines(of.Patch) {
		for _, mark := range [...]string{"*** Update File: ", "*** Delete File: ", "*** Add File: "} {
			if path, is := strings.CutPrefix(line, mark); is {
				paths = append(paths, filepath.Clean(strings.TrimSpace(path)))
			}
		}
	}
	return paths
}

func named(args json.RawMessage) string {
	var of struct {
		Path string `json:"path"`
	}
	if !bytes.Contains(args, []byte(`"path"`)) || json.Unmarshal(args, &of) != nil || of.Path == "" {
		return ""
	}
	return filepath.Clean(of.Path)
}

// WithPlaceholders copies the messages and replaces each removed result with a placeholder.
func WithPlaceholders(all []messages.Message, leaving []Removal) []messages.Message {
	all = slices.Clone(all)
	for _, one := range leaving {
		if removablePictures(all[one.At]) > 0 {
			all[one.At].Result.Pictures = leftOut(all[one.At].Result.Pictures)
		}
		if one.Stays {
			continue
		}
		all[one.At].Result.Text = one.note()
	}
	return all
}

// emptyNote replaces an empty result.
const emptyNote = "[This call brought nothing new.]"

func bare(result messages.ToolResult) bool { return result.Empty && result.Status == messages.OK }

// uneventful returns true if replacing an empty result with [emptyNote] would save space.
func uneventful(message messages.Message) bool {
	return bare(message.Result) && len(message.Result.Text) > len(emptyNote)
}

func (l Removal) note() string {
	if l.Empty {
		return emptyNote
	}
	where := "call " + l.Name + " again if you need it"
	if l.Address != "" {
		where = fmt.Sprintf("read_file {\"path\": %q} shows it", l.Address)
	}
	why := "to make room"
	if l.Again {
		why = "because the file was read again or changed later"
	}
	return fmt.Sprintf("[%d lines (%d bytes) left the view %s: %s]", lines(l.Text), len(l.Text), why, where)
}

// removablePictures returns the number of pictures that can be removed from a result. If any
// picture cannot be read again, removablePictures returns 0.
func removablePictures(message messages.Message) (n int) {
	for _, picture := range message.Result.Pictures {
		if len(picture.Data) > 0 && picture.Address == "" {
			return 0
		}
	}
	return countShown(message.Result.Pictures)
}

// lines returns the number of lines in text. A final newline does not begin another line.
func lines(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// minRepeat is the minimum length, in bytes, of a result that is replaced by a repetition note.
const minRepeat = 1 << 10

// EarlierEqual returns a repetition note if an equal result is still in the context. Otherwise it
// returns "".
func EarlierEqual(all []messages.Message, result messages.ToolResult) string {
	if len(result.Text) < minRepeat || result.Status != messages.OK {
		return ""
	}
	for _, message := range all {
		if message.Role == messages.Tool && message.Result.Name == result.Name && message.Result.Text == result.Text {
			return fmt.Sprintf("%s the %d lines that %s%s%s]", unchanged, lines(result.Text), result.Name, gaveYou, message.Result.Call)
		}
	}
	return ""
}

const (
	unchanged = "[unchanged: word for word"
	gaveYou   = " gave you above as the result of call "
)

// pointsAt returns the id of the call to which a repetition note refers. For any other text,
// pointsAt returns "".
func pointsAt(text string) string {
	if !strings.HasPrefix(text, unchanged) {
		return ""
	}
	_, call, _ := strings.Cut(text, gaveYou)
	call, _, _ = strings.Cut(call, "]")
	return call
}

// IsPlaceholder reports whether text is the placeholder for a removed result.
func IsPlaceholder(text string) bool {
	text = messages.Unframe(text)
	return text == emptyNote || leftTheView().MatchString(text)
}

var leftTheView = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[\d+ lines \(\d+ bytes\) left the view [^\n]*\]$`)
})
