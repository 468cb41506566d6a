package messages

import (
	"encoding/json"
	"strings"
)

// Author says who wrote a piece of text. It stays with the text wherever that goes: into an
// expanded command, a default, a summary.
type Author uint8

// The authors. The zero value is for text of unknown author; it is not trusted.
const (
	Unstated Author = iota
	Typed           // the user, with their own keys: in a prompt, an answer, an argument of -p
	UserFile        // a file of the user's own, such as a command in ~/.config/marvin
	Piped           // standard input beside a prompt: usually a file or the output of a program
	Project         // a file that the project brings
	ByModel         // a model, also a default or a label that it wrote
	Stranger        // a page, a message, a server of others
)

// Authored is a piece of text with its author. Only [By] makes one, so every text has an author.
type Authored struct {
	author Author
	text   string
	source string
}

// By is a piece of text that author wrote. Source names, for people, what brought it in, such
// as "the MCP server mail"; it is needed for [Project] and [Stranger] only.
func By(author Author, text, source string) Authored {
	return Authored{author: author, text: text, source: source}
}

// Ask makes a prompt of pieces. The model reads all of them; what the user typed among them
// is what may name hosts.
func Ask(pieces ...Authored) Prompt {
	texts := make([]string, 0, len(pieces))
	for _, piece := range pieces {
		if piece.text != "" {
			texts = append(texts, piece.text)
		}
	}
	return Prompt{Text: strings.Join(texts, "\n\n"), By: pieces}
}

// Say makes a prompt of text that the user typed.
func Say(text string) Prompt { return Ask(By(Typed, text, "")) }

// Typed returns what the user typed of the prompt, "" if no piece has that author.
func (p Prompt) Typed() string {
	var typed []string
	for _, piece := range p.By {
		if piece.author == Typed {
			typed = append(typed, piece.text)
		}
	}
	return strings.Join(typed, "\n")
}

// OwnFile returns what files of the user's own wrote of the prompt.
func (p Prompt) OwnFile() string {
	var texts []string
	for _, piece := range p.By {
		if piece.author == UserFile {
			texts = append(texts, piece.text)
		}
	}
	return strings.Join(texts, "\n")
}

// Foreign names what brought words of others or private text into the prompt, "" if nothing
// did.
func (p Prompt) Foreign() string {
	for _, piece := range p.By {
		switch piece.author {
		case Piped, Project, Stranger:
			return piece.source
		}
	}
	return ""
}

// wireAuthored is a piece of text on its way between two Marvins of one user.
type wireAuthored struct {
	Author Author `json:"author"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (a Authored) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireAuthored{a.author, a.text, a.source})
}

// UnmarshalJSON implements [json.Unmarshaler]. An author that is not known is trusted with
// nothing.
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
