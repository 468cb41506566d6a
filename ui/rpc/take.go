package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/jsonlines"
)

// Output lines that are not events. They have no seq field.
type (
	// hello is the first line of the output.
	hello struct {
		Version int      `json:"version"`
		Type    string   `json:"type"`
		Marvin  string   `json:"marvin"`
		Types   []string `json:"types"` // the accepted types of requests
	}
	// images are the pictures that belong to the event in the next line.
	images struct {
		Version int                  `json:"v"`
		Type    string               `json:"type"`
		Images  [][]messages.Picture `json:"images"`
	}
	// lineOutput contains text that the engine shows to the user.
	lineOutput struct {
		Version int            `json:"v"`
		Type    string         `json:"type"`
		Level   messages.Level `json:"level"`
		Text    string         `json:"text"`
	}
	// refused is the line that tells the client why a request was not carried out.
	refused struct {
		Version int    `json:"v"`
		Type    string `json:"type"`
		Line    int    `json:"line"` // line number in the input, from 1
		ID      string `json:"id,omitempty"`
		Error   string `json:"error"`
	}
)

// lineType is the type of a request that contains a line of user input. All other types name an op.
const lineType = "line"

// ImagesType is the type of a line that precedes an event and contains the event's pictures. The
// pictures are in the order of [messages.ImagesOf].
const ImagesType = "images"

// take accepts a line of input and reports errors to the client.
func (s *Server) take(line jsonlines.Line) {
	id, err := "", line.Err
	if err == nil {
		id, err = s.request(line.Data)
	}
	if err != nil {
		s.write(refused{Version: messages.WireVersion, Type: "error", Line: line.Number, ID: id, Error: err.Error()})
	}
}

func (s *Server) request(data []byte) (id string, err error) {
	var request struct {
		Version int             `json:"v"`
		ID      string          `json:"id"`
		Type    string          `json:"type"`
		Op      json.RawMessage `json:"op"`
		Whole   *wholePrompt    `json:"whole"`
	}
	if err := json.Unmarshal(data, &request); err != nil {
		return request.ID, fmt.Errorf("the line is not a request: %w; write a line such as {\"type\":\"prompt\",\"op\":{\"text\":\"…\"}}", messages.Misread(err))
	}
	if request.Type == lineType && s.LineRefusal != "" {
		return request.ID, errors.New(s.LineRefusal)
	}
	if request.Type == lineType && request.Version <= messages.WireVersion {
		return request.ID, s.typeLine(request.ID, request.Op)
	}
	var known messages.Request
	if err := json.Unmarshal(data, &known); err != nil {
		return request.ID, err
	}
	if s.FromMarvin && request.Whole != nil {
		return request.ID, s.forwardWhole(known, *request.Whole)
	}
	return request.ID, s.forwardChecked(known)
}

// typeLine gives the engine the text of a "line" request: a command or a prompt.
func (s *Server) typeLine(id string, body json.RawMessage) error {
	var op struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(body, &op); err != nil || strings.TrimSpace(op.Text) == "" {
		return errors.New(`the field "op" of line: "text" is missing; give the line to type, such as "/help"`)
	}
	s.typing = id
	s.engine.Take(op.Text)
	s.typing = ""
	return nil
}

// forwardChecked forwards a request after checking the parts that the conversation does not check.
// If the conversation refuses the request, the conversation itself answers the client.
func (s *Server) forwardChecked(request messages.Request) error {
	switch op := request.Op.(type) {
	case messages.SetDir:
		info, err := os.Stat(op.Path)
		if err != nil {
			return fmt.Errorf("the field \"op\" of set_dir: %w", err)
		}
		if !info.IsDir() {
			return fmt.Errorf("the field \"op\" of set_dir: %s is a file, not a directory", op.Path)
		}
	case messages.SetProfile:
		names, err := s.engine.Host.Profiles()
		if err != nil {
			return fmt.Errorf("the field \"op\" of set_profile: %w", err)
		}
		if !slices.Contains(names, op.Name) {
			return fmt.Errorf("the field \"op\" of set_profile: there is no profile %q; the line \"/profile new NAME\" makes one", op.Name)
		}
	case messages.Cancel:
		if op == (messages.Cancel{}) && s.engine.Cancel() {
			// A command was canceled, so a turn need not be running. Without an id, the op causes
			// no error.
			s.Client.Send(op)
			return nil
		}
	case messages.Quit:
		s.leave()
		return nil
	case messages.Prompt:
		if err := s.show(&op); err != nil {
			return err
		}
		op.By = messages.Say(op.Text).By // treat the text as typed by the user
		request.Op = op
	default: // the conversation checks all other ops
	}
	s.Client.Send(request)
	return nil
}

// show replaces a prompt's pictures with the results of s.Picture.
func (s *Server) show(prompt *messages.Prompt) error {
	for i, picture := range prompt.Pictures {
		shown, err := s.Picture(picture)
		if err != nil {
			return fmt.Errorf("the field \"op\" of prompt: picture %d: %w", i+1, err)
		}
		prompt.Pictures[i] = shown
	}
	return nil
}
