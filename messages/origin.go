package messages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Thought is a piece of the model's reasoning. Opaque is data that the provider wants back
// unchanged: a signature, or the encrypted reasoning. Only the provider and model named in Origin
// receive Opaque.
type Thought struct {
	Text   string `json:"text,omitempty"`
	Opaque string `json:"opaque,omitempty"`
	Origin string `json:"origin,omitempty"`
	Offset int    `json:"offset,omitempty"` // number of bytes of the message's text before this piece
}

// Picture is an image in a prompt or a result. If Data is empty, Note says why.
type Picture struct {
	Type   string `json:"type"`           // image/png, image/jpeg, image/gif or image/webp
	Data   []byte `json:"data,omitempty"` // the contents of the file
	Name   string `json:"name,omitempty"` // where the picture comes from, for display
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
	Note   string `json:"note,omitempty"`
	Path   string `json:"path,omitempty"` // the absolute path of a file that the user named; otherwise ""
	// Address is set only for pictures in results. The model can reload the picture from this
	// address, for example "artifact:3".
	Address string `json:"address,omitempty"`
}

// Labels returns a short description of each picture.
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

// RoundTrip holds the token counts and the cost of one request to a model. Cost is in US dollars.
type RoundTrip struct {
	Input     int     `json:"input,omitempty"`
	Cached    int     `json:"cached,omitempty"`  // part of Input that was read from the provider's cache
	Written   int     `json:"written,omitempty"` // part of Input that was written to the provider's cache
	Output    int     `json:"output,omitempty"`
	Cost      float64 `json:"cost,omitempty"`
	Estimated bool    `json:"estimated,omitempty"` // the server reported no token counts
}

// Plus returns the sum of two round trips whose answers became one message.
func (t RoundTrip) Plus(more RoundTrip) RoundTrip {
	return RoundTrip{
		Input: t.Input + more.Input, Cached: t.Cached + more.Cached, Written: t.Written + more.Written, Output: t.Output + more.Output,
		Cost: t.Cost + more.Cost, Estimated: t.Estimated || more.Estimated,
	}
}

// Origin describes the source of a message's text.
type Origin struct {
	From   Source   `json:"from,omitempty"`
	Places []string `json:"places,omitempty"` // possible sources of the text, as absolute paths
}

// Source identifies where a message's text comes from.
type Source string

// The sources. Text from a file or from other people may contain instructions to the model.
const (
	FromPerson   Source = "person"
	FromMarvin   Source = "marvin"
	FromModel    Source = "model"
	FromTool     Source = "tool"     // the tool itself wrote the text
	FromFile     Source = "file"     // files, notes, dates and program output
	FromStranger Source = "stranger" // web pages, posts, news and service replies
)

// Untrusted reports whether the text may be private or written by others.
func (o Origin) Untrusted() bool { return o.From == FromFile || o.From == FromStranger }

// Places returns the Origin.Places of all messages, sorted and without duplicates.
func Places(all []Message) []string {
	var places []string
	for _, message := range all {
		places = append(places, message.Origin.Places...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// Thought returns all the reasoning of the message.
func (m Message) Thought() string {
	var text strings.Builder
	for _, thought := range m.Thinking {
		text.WriteString(thought.Text)
	}
	return text.String()
}
