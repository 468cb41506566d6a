package messages

import (
	"encoding/json"
	"strings"
)

// Author identifies the writer of a piece of text. Text that is copied into an expanded command, a
// default or a summary keeps its author.
type Author uint8

// The authors. Marvin does not trust text whose author is Unstated.
const (
	Unstated Author = iota
	Typed           // the user, in a prompt or an answer
	UserFile        // one of the user's own files, such as a command in ~/.config/marvin
	Piped           // standard input that comes with a prompt: usually a file or the output of a program
	Project         // a file of the project
	ByModel         // a model; selecting the text as an answer does not change the author
	Stranger        // an outside source, such as a web page, a message or an MCP server
)

// Authored is a piece of text with its author. Other packages create such values only with
// [NewAuthored], or by decoding JSON.
type Authored struct {
	author Author
	text   string
	source string
}

// NewAuthored returns text with its author and its source, such as "the MCP server mail". Text from
// [Piped], [Project] or [Stranger] must have a source, which is shown to the user.
func NewAuthored(author Author, text, source string) Authored {
	return Authored{author: author, text: text, source: source}
}

// Ask joins pieces into one prompt. The user counts as having named a host only if a [Typed] piece
// contains the host.
func Ask(pieces ...Authored) Prompt {
	texts := make([]string, 0, len(pieces))
	for _, piece := range pieces {
		if piece.text != "" {
			texts = append(texts, piece.text)
		}
	}
	return Prompt{Text: strings.Join(texts, "\n\n"), By: pieces}
}

// Say makes a prompt from text that the user typed.
func Say(text string) Prompt { return Ask(NewAuthored(Typed, text, "")) }

// Typed returns the parts of the prompt that the user typed, or "" if there are none.
func (p Prompt) Typed() string { return p.textBy(Typed) }

// OwnFile returns the parts of the prompt that came from the user's own files.
func (p Prompt) OwnFile() string { return p.textBy(UserFile) }

func (p Prompt) textBy(author Author) string {
	var texts []string
	for _, piece := range p.By {
		if piece.author == author {
			texts = append(texts, piece.text)
		}
	}
	return strings.Join(texts, "\n")
}

// Foreign returns the source of the first [Piped], [Project] or [Stranger] piece, or "" if there is
// none.
func (p Prompt) Foreign() string {
	for _, piece := range p.By {
		switch piece.author {
		case Piped, Project, Stranger:
			return piece.source
		}
	}
	return ""
}

// wireAuthored is the JSON form in which the user's Marvin processes exchange [Authored] values.
type wireAuthored struct {
	Author Author `json:"author"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (a Authored) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireAuthored{a.author, a.text, a.source})
}

// UnmarshalJSON implements [json.Unmarshaler]. An unknown author becomes [Unstated], which is not
// trusted.
func (a *Authored) UnmarshalJSON(data []byte) error {
	var wire wireAuthored
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	if wire.Author > Stranger {
		wire.Author = Unstated
	}
	*a = Authored{wire.Author, wire.Text, wire.Source}
	return nil
}
