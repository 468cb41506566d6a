package acp

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/ui/transcript"
)

// The protocol's stop reasons.
const (
	stopEnd       = "end_turn"
	stopTokens    = "max_tokens"
	stopRequests  = "max_turn_requests"
	stopRefusal   = "refusal"
	stopCancelled = "cancelled"
)

// mostPrompts is the maximum number of unanswered prompts in a session.
const mostPrompts = 16

// prompt is an unanswered session/prompt request.
type prompt struct {
	id        json.RawMessage
	line      string // a command; "" for a prompt to the model
	words     messages.Prompt
	request   string // ID of the messages.Request; "" until the request is sent
	turn      string
	cancelled bool
}

func (a *Agent) prompt(id json.RawMessage, asked acp.PromptParams) *acp.Fault {
	session, wrong := a.session(asked.Session)
	switch {
	case wrong != nil:
		return wrong
	case len(asked.Prompt) == 0:
		return acp.Faultf(acp.CodeParams, "invalid params: the prompt is empty")
	case session.quitting:
		return acp.Faultf(acp.CodeRequest, "the session is being closed")
	case len(session.prompts) >= mostPrompts:
		return acp.Faultf(acp.CodeRequest, "%d prompts are already waiting in this session, and that is the limit; wait for an answer", mostPrompts)
	}
	one := &prompt{id: id}
	if one.words, wrong = session.wordsOf(asked.Prompt); wrong != nil {
		return wrong
	}
	if first := asked.Prompt[0]; len(asked.Prompt) == 1 && first.Type == "text" && strings.HasPrefix(*first.Text, "/") {
		one.line = strings.TrimSpace(*first.Text)
	}
	session.prompts = append(session.prompts, one)
	if len(session.prompts) == 1 {
		session.start()
	}
	return nil
}

// wordsOf converts the blocks of a request to a prompt. Each piece of text in the prompt records
// its author.
func (s *session) wordsOf(blocks []acp.Block) (prompt messages.Prompt, wrong *acp.Fault) {
	var typed strings.Builder
	var brought []messages.Authored
	for i, one := range blocks {
		words, piece, pictures, wrong := s.convertBlock(one)
		if wrong != nil {
			wrong.Message = "invalid params: prompt[" + strconv.Itoa(i) + "]: " + wrong.Message
			return prompt, wrong
		}
		typed.WriteString(words)
		brought = append(brought, piece...)
		prompt.Pictures = append(prompt.Pictures, pictures...)
	}
	text := typed.String()
	if strings.TrimSpace(text) == "" {
		text = "Look at what is attached to this prompt."
	}
	whole := messages.Ask(append([]messages.Authored{messages.NewAuthored(messages.Typed, text, "")}, brought...)...)
	whole.Pictures = prompt.Pictures
	return whole, nil
}

func (s *session) convertBlock(one acp.Block) (words string, brought []messages.Authored, pictures []messages.Picture, wrong *acp.Fault) {
	switch {
	case one.Type == "text" && one.Text != nil:
		return *one.Text, nil, nil, nil
	case one.Type == "image":
		picture, wrong := s.picture(one.Data, one.Name)
		return "", nil, []messages.Picture{picture}, wrong
	case one.Type == "resource_link" && one.URI != "":
		words, piece := s.linked(one)
		return words, piece, nil, nil
	case one.Type == "resource" && one.Resource != nil && one.Resource.Text != nil:
		return " " + s.describeResource(one.Resource.URI) + " ", []messages.Authored{s.embedded(one.Resource)}, nil, nil
	case one.Type == "resource" && one.Resource != nil && one.Resource.Blob != nil && strings.HasPrefix(one.Resource.MimeType, "image/"):
		picture, wrong := s.picture(*one.Resource.Blob, filepath.Base(one.Resource.URI))
		return "", nil, []messages.Picture{picture}, wrong
	case one.Type == "resource" && one.Resource != nil && one.Resource.Blob != nil:
		return "", nil, nil, acp.Faultf(acp.CodeParams, "a resource of the type %q is not text and not a picture", one.Resource.MimeType)
	case one.Type == "text", one.Type == "resource_link", one.Type == "resource":
		return "", nil, nil, acp.Faultf(acp.CodeParams, "invalid params: a required field of the %s is missing", one.Type)
	}
	return "", nil, nil, acp.Faultf(acp.CodeParams, "Marvin does not accept content of the type %q", one.Type)
}

func (s *session) picture(data, name string) (messages.Picture, *acp.Fault) {
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(content) == 0 {
		return messages.Picture{}, acp.Faultf(acp.CodeParams, "picture data must be base64")
	}
	picture, err := s.conversation.Picture(messages.Picture{Name: name, Data: content})
	if err != nil {
		return picture, acp.Faultf(acp.CodeParams, "%v", err)
	}
	return picture, nil
}

// linked returns the text for a link in a prompt. A file in the working directory becomes "@path",
// as if the user had typed "@path". For other links, and for files with special characters in their
// paths, the prompt mentions the link, but the content is not read.
func (s *session) linked(link acp.Block) (words string, brought []messages.Authored) {
	name := s.describeResource(link.URI)
	if path, below := s.pathBelow(link.URI); below && !strings.ContainsAny(path, " \t\n\"'`\\()") {
		return " @" + path + " ", nil
	}
	if _, local := filePath(link.URI); local {
		return " " + name + " ", nil
	}
	return "", []messages.Authored{messages.NewAuthored(messages.Unstated, "The user links to "+link.URI, "")}
}

// embedded returns the quoted text of a resource, together with the author of that text.
func (s *session) embedded(from *acp.Resource) messages.Authored {
	author, name := messages.Stranger, from.URI
	if path, local := filePath(from.URI); local {
		author, name = messages.Project, path
	}
	return messages.NewAuthored(author, "The content of "+name+":\n"+transcript.Fenced(*from.Text), name)
}

// describeResource returns the path of a local file, or a fixed phrase for any other resource.
func (s *session) describeResource(uri string) string {
	if path, local := filePath(uri); local {
		return path
	}
	return "the linked resource"
}

// pathBelow returns a file's slash-separated path relative to the working directory, and reports
// whether that directory contains the file.
func (s *session) pathBelow(uri string) (path string, below bool) {
	path, local := filePath(uri)
	if !local || s.talk.Dir == "" {
		return "", false
	}
	path, err := filepath.Rel(s.talk.Dir, path)
	return filepath.ToSlash(path), err == nil && filepath.IsLocal(path)
}

// filePath returns the path in a file:// address, or uri itself if it is an absolute path.
func filePath(uri string) (path string, local bool) {
	if filepath.IsAbs(uri) {
		return uri, true
	}
	address, err := url.Parse(uri)
	if err != nil || address.Scheme != "file" || !filepath.IsAbs(address.Path) {
		return "", false
	}
	return address.Path, true
}

// prompting returns the current prompt, or nil if there is none.
func (s *session) prompting() *prompt {
	if len(s.prompts) == 0 {
		return nil
	}
	return s.prompts[0]
}

// start executes the current prompt, if there is one.
func (s *session) start() {
	one := s.prompting()
	if one == nil {
		return
	}
	if one.line != "" {
		s.command(one)
		s.settle()
		return
	}
	s.engine.Send(one.words)
}

// submit sends a prompt's text to the session.
func (s *session) submit(one *prompt, words messages.Prompt) {
	if one == nil || one.cancelled || one != s.prompting() {
		return // the prompt has been canceled or has ended
	}
	s.requests++
	one.request = "p" + strconv.Itoa(s.requests)
	s.conversation.Client.Send(messages.Request{ID: one.request, Op: words})
}

// settle responds to the current prompt if the prompt is a command and no work is left.
func (s *session) settle() {
	one := s.prompting()
	if one != nil && one.line != "" && one.request == "" && !s.talk.Turn.Running && len(s.talk.Asked) == 0 && len(s.engine.Working()) == 0 {
		s.end(stopEnd)
	}
}

// end completes the current prompt with a stop reason and starts the next prompt, if any.
func (s *session) end(why string) {
	one := s.prompts[0]
	if one.cancelled {
		why = stopCancelled
	}
	s.prompts = s.prompts[1:]
	s.agent.reply(one.id, acp.PromptEnded{Stop: why})
	s.start()
}

// failPrompt answers the current prompt with an error.
func (s *session) failPrompt(why *acp.Fault) {
	one := s.prompts[0]
	if one.cancelled {
		s.end(stopCancelled)
		return
	}
	s.prompts = s.prompts[1:]
	s.agent.fail(one.id, why)
	s.start()
}

func (s *session) turnStarted(turn string, event messages.TurnStarted, at time.Time) {
	if one := s.prompting(); one != nil && one.request != "" && event.Request == one.request {
		one.turn = turn
	}
	if !s.titled && event.Prompt != "" && !event.Aside {
		s.titled = true
		s.update(infoUpdate{Kind: "session_info_update", Title: firstLine(event.Prompt), Updated: stamp(at)})
	}
}

func (s *session) turnEnded(turn string, event messages.TurnEnded, at time.Time) {
	s.sweep(event.Outcome)
	s.update(infoUpdate{Kind: "session_info_update", Updated: stamp(at)})
	one := s.prompting()
	if one == nil || one.turn == "" || one.turn != turn {
		return
	}
	why, said := stopOf(event)
	switch {
	case why != "":
		if said != "" {
			s.say(messages.Warning, said)
		}
		s.end(why)
	default:
		s.failPrompt(acp.Faultf(acp.CodeInternal, "%s", said))
	}
}

// stopOf returns the protocol's stop reason and a message for the user. If the stop reason is
// empty, the prompt fails with the message as its error.
func stopOf(event messages.TurnEnded) (why, said string) {
	switch event.Outcome {
	case messages.Completed:
		return stopEnd, ""
	case messages.Cancelled:
		return stopCancelled, ""
	case messages.Incomplete:
		switch event.Stop {
		case messages.StopOutput:
			return stopTokens, event.Err
		case messages.StopRounds, messages.StopLimit:
			return stopRequests, event.Err
		case messages.StopFiltered:
			return stopRefusal, event.Err
		}
	}
	return "", event.Err
}

func (s *session) refused(event messages.Refused) {
	if one := s.prompting(); one != nil && one.request != "" && event.Request == one.request {
		s.failPrompt(acp.Faultf(acp.CodeInternal, "%s", event.Err))
		return
	}
	s.changeRefused(event)
}

func (s *session) withdrawn(request string) {
	if one := s.prompting(); one != nil && one.request != "" && one.request == request {
		s.end(stopCancelled)
	}
}

func (a *Agent) cancel(given json.RawMessage) {
	if asked, wrong := acp.Params[acp.SessionParams](given); wrong == nil {
		if session := a.sessions[asked.Session]; session != nil {
			session.cancel()
		}
	}
}

// cancelRequest handles the notification "$/cancel_request". Only prompts can be canceled.
func (a *Agent) cancelRequest(given json.RawMessage) {
	asked, wrong := acp.Params[cancelRequest](given)
	if wrong != nil {
		return
	}
	for _, session := range a.sessions {
		for at, one := range session.prompts {
			switch {
			case string(one.id) != string(asked.ID):
			case at == 0:
				session.cancelFirst()
				return
			default:
				session.prompts = append(session.prompts[:at:at], session.prompts[at+1:]...)
				a.reply(one.id, acp.PromptEnded{Stop: stopCancelled})
				return
			}
		}
	}
}

// cancel cancels all prompts of the session.
func (s *session) cancel() {
	if len(s.prompts) == 0 {
		s.conversation.Client.Send(messages.Cancel{}) // this client did not start the turn
		return
	}
	for _, waits := range s.prompts[1:] {
		s.agent.reply(waits.id, acp.PromptEnded{Stop: stopCancelled})
	}
	s.prompts = s.prompts[:1]
	s.cancelFirst()
}

// cancelFirst cancels the current prompt. The client gets the response when the session has
// finished the prompt, or at once if the prompt was not sent to the session.
func (s *session) cancelFirst() {
	one := s.prompts[0]
	one.cancelled = true
	s.engine.Cancel()
	switch {
	case one.request != "":
		s.conversation.Client.Send(messages.Cancel{Request: one.request})
	case one.line != "":
		s.conversation.Client.Send(messages.Cancel{})
		s.end(stopCancelled)
	default: // the session has not received the prompt
		s.end(stopCancelled)
	}
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:79]) + "…"
	}
	return text
}
