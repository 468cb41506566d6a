package turn

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/model"
	"marvin/actors/internal/splice"
	"marvin/messages"
	"marvin/providers"
)

// This file collects the streamed answer, and joins a continuation to an interrupted answer.

// goOn is the message to the model after an interrupted answer.
const goOn = "Your answer was cut off because the connection broke. Continue exactly where it stopped, even in the middle of a word. Do not repeat anything and do not comment on this."

// goOnLimit is the message to the model after an answer that reached the output limit.
const goOnLimit = "Your answer reached its length limit. Continue exactly where it stopped, even in the middle of a word. Do not repeat anything and do not comment on this."

// speech is the text of the answer so far.
type speech struct {
	*turnState
	kept   *turnKeeping
	spoken *AnswerText      // the text of all rounds, shared with the session
	from   int              // where the text of the current request begins
	joint  *splice.Joint    // joins the continuation to the interrupted answer
	broken string           // the part of the interrupted answer that the user saw before the current request
	retold *splice.Joint    // the joint for an answer that begins again from the start, or nil
	reply  messages.Message // the last answer, without its text
}

func (s *speech) whole() string { return s.spoken.String() }

// current returns a copy of the text received for the current request. A substring would keep the
// turn's whole text in memory.
func (s *speech) current() string { return strings.Clone(s.spoken.String()[s.from:]) }

// begin assigns the start of the next answer to s.from.
func (s *speech) begin() { s.from = s.spoken.Len() }

// healing returns true if the current answer continues an interrupted one.
func (s *speech) healing() bool { return s.joint != nil }

func (s *speech) part(c actor.Context, message model.Part) {
	if s.phase != asking {
		return
	}
	switch message.Kind {
	case providers.TextPart:
		s.say(c, pass(s.retold, pass(s.joint, message.Text)))
	case providers.ThinkingPart:
		s.tell(c, messages.Thinking{Chunk: message.Text})
	case providers.AnewPart:
		s.flush(c)
		s.retold = splice.NewApart(s.current())
		s.tell(c, messages.Waiting{Why: message.Text, Until: s.Config.Now()})
	case providers.NoticePart:
		if message.Text != "" { // without text, there is nothing to show
			s.tell(c, messages.Waiting{Why: message.Text, Until: s.Config.Now().Add(message.Wait)})
		}
	case providers.CallingPart:
		// Nothing to do: the reply contains the calls.
	}
}

// say appends text to the answer and shows the text to the user. A new round begins on a new line;
// the continuation of an interrupted answer does not.
func (s *speech) say(c actor.Context, chunk string) {
	if chunk == "" {
		return
	}
	if first := s.from == s.spoken.Len(); first && s.joint == nil && s.from > 0 && !strings.HasSuffix(s.spoken.String(), "\n") {
		s.spoken.add("\n")
		s.from++
	}
	s.spoken.add(chunk)
	s.kept.wake(c)
	if s.another { // a hook continued the turn
		s.another, chunk = false, "\n"+chunk
	}
	s.tell(c, messages.Text{Chunk: chunk})
}

// pass returns the result of joint.Pass, or the unchanged text if joint is nil.
func pass(joint *splice.Joint, text string) string {
	if joint == nil {
		return text
	}
	return joint.Pass(text)
}

// flush sends the text that s.joint and s.retold hold back as a possible repetition.
func (s *speech) flush(c actor.Context) {
	if s.joint != nil {
		s.say(c, pass(s.retold, s.joint.End()))
	}
	if s.retold != nil {
		s.say(c, s.retold.End())
		s.retold = nil
	}
}

func (s *speech) currentMessage(text string) messages.Message {
	message := s.reply
	message.Text = text
	return message
}

func (s *speech) calling(text string, calls []messages.ToolCall) messages.Message {
	message := s.currentMessage(text)
	message.Calls = calls
	return message
}

// handOver prepares a request for the rest of an interrupted answer. The request contains all text
// that was shown. If the model repeats a part of that text, the repetition is dropped.
func (s *speech) handOver(text string) { s.carryOn(text, goOn) }

// carryOn works like s.handOver, but with the given message to the model.
func (s *speech) carryOn(text, ask string) {
	switch {
	case text == "" && s.joint == nil:
		return
	case s.joint == nil:
		s.turn.AddAnswer(s.currentMessage(text))
		s.turn.AddRequest(s.messageFrom(messages.FromMarvin, ask))
	case text != "":
		s.turn.Join(s.currentMessage(text))
		s.turn.AddRequest(s.messageFrom(messages.FromMarvin, ask))
	}
	s.broken += text
	s.joint = splice.New(s.broken)
}

// settle declares an answer complete. A later interruption then belongs to another answer.
func (s *speech) settle() { s.joint, s.broken = nil, "" }
