package messages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Thought is what a model thought before it spoke, or one piece of it. Opaque is what
// its wire wants back with it, word for word: a signature, or the whole as only its maker
// reads it. It goes back to Origin alone, which is the provider and the model that made it.
type Thought struct {
	Text   string `json:"text,omitempty"`
	Opaque string `json:"opaque,omitempty"`
	Origin string `json:"origin,omitempty"`
	Offset int    `json:"offset,omitempty"` // how many bytes of the message's text were said before it
}

// Picture is one picture. Without Data it was left out, and Note says why.
type Picture struct {
	Type   string `json:"type"`           // image/png, image/jpeg, image/gif or image/webp
	Data   []byte `json:"data,omitempty"` // the file
	Name   string `json:"name,omitempty"` // where it came from, for people
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
	Note   string `json:"note,omitempty"`
	Path   string `json:"path,omitempty"` // the file that a person named, absolute; "" for others
	// Address is where one of a result can be read again; "" for others.
	Address string `json:"address,omitempty"`
}

// Labels say for people which pictures came with a prompt.
func Labels(pictures []Picture) (labels []string) {
	for i, picture := range pictures {
		label := fmt.Sprintf("picture %d: %s", i+1, cmp.Or(picture.Name, picture.Note, picture.Type))
		if picture.Width > 0 {
			label += fmt.Sprintf(" %dx%d", picture.Width, picture.Height)
		}
		labels = append(labels, "["+label+"]")
	}
	return labels
}

// RoundTrip is what one question to a model took. Cost is in US dollars.
type RoundTrip struct {
	Input     int     `json:"input,omitempty"`
	Cached    int     `json:"cached,omitempty"`  // part of Input that was read from the provider's cache
	Written   int     `json:"written,omitempty"` // part of Input that was written into it
	Output    int     `json:"output,omitempty"`
	Cost      float64 `json:"cost,omitempty"`
	Estimated bool    `json:"estimated,omitempty"` // the server did not tell, or not yet
}

// Plus is the sum of two round trips that made one message.
func (t RoundTrip) Plus(more RoundTrip) RoundTrip {
	return RoundTrip{
		Input: t.Input + more.Input, Cached: t.Cached + more.Cached, Written: t.Written + more.Written, Output: t.Output + more.Output,
		Cost: t.Cost + more.Cost, Estimated: t.Estimated || more.Estimated,
	}
}

// Origin says whose words a message has, and which files they may be from.
type Origin struct {
	From   Source   `json:"from,omitempty"`
	Places []string `json:"places,omitempty"` // absolute paths of files and directories that were read for it
}

// Source is who spoke.
type Source string

// The sources. Text from a file or a stranger may try to instruct the model.
const (
	FromPerson   Source = "person"
	FromMarvin   Source = "marvin"
	FromModel    Source = "model"
	FromTool     Source = "tool"     // its own words
	FromFile     Source = "file"     // files, notes, dates, the output of programs
	FromStranger Source = "stranger" // pages, posts, news, answers of services
)

// Untrusted says that the words may be a stranger's, or private.
func (o Origin) Untrusted() bool { return o.From == FromFile || o.From == FromStranger }

// Places are all that the messages were read from, each once, in order.
func Places(all []Message) []string {
	var places []string
	for _, message := range all {
		places = append(places, message.Origin.Places...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// Thought is the text of all that was thought.
func (m Message) Thought() string {
	var text strings.Builder
	for _, thought := range m.Thinking {
		text.WriteString(thought.Text)
	}
	return text.String()
}
