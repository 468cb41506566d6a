package turn

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/model"
	"marvin/actors/internal/splice"
	"marvin/messages"
	"marvin/providers"
)

// The model's streaming answer, and how an interrupted one is joined to its continuation.

// goOn asks for the rest of an answer that broke off.
const goOn = "Your answer was cut off by the connection. Go on from exactly where it stopped, in the middle of the word if need be. Do not repeat anything and do not comment on this."

// goOnLimit asks for the rest of an answer that reached the limit of the model's output.
const goOnLimit = "Your answer reached the limit of its length. Go on from exactly where it stopped, in the middle of the word if need be. Do not repeat anything and do not comment on this."

// speech is what was said so far.
type speech struct {
	*turnState
	kept   *turnKeeping
	spoken *strings.Builder // the whole answer, of all rounds: that of the input
	from   int              // where of it the request under way begins
	joint  *splice.Joint    // joins the continuation of an answer that broke off
	broken string           // what was shown of that answer before the request under way
	retold *splice.Joint    // joins an answer that the same request tells again from its beginning
	reply  messages.Message // the last answer, but for its words
}

// whole is all that was said in the turn.
func (s *speech) whole() string { return s.spoken.String() }

// current is what the request under way has said so far. It is a copy, which does not keep all
// that was said in the memory as long as the conversation lives.
func (s *speech) current() string { return strings.Clone(s.spoken.String()[s.from:]) }

// begin begins to hear the answer to another request.
func (s *speech) begin() { s.from = s.spoken.Len() }

// healing says whether the answer under way is the rest of one that broke off.
func (s *speech) healing() bool { return s.joint != nil }

// part takes a piece of an answer.
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
		if message.Text != "" { // else it is for the provider's clock
			s.tell(c, messages.Waiting{Why: message.Text, Until: s.Config.Now().Add(message.Wait)})
		}
	case providers.CallingPart:
		// a sign of life for the provider's clock; the call itself comes whole
	}
}

// say passes text on. A new round's first words begin a line of their own, but the
// continuation of an answer that broke off does not.
func (s *speech) say(c actor.Context, chunk string) {
	if chunk == "" {
		return
	}
	if first := s.from == s.spoken.Len(); first && s.joint == nil && s.from > 0 && !strings.HasSuffix(s.spoken.String(), "\n") {
		s.spoken.WriteByte('\n')
		s.from++
	}
	s.spoken.WriteString(chunk)
	s.kept.wake(c)
	if s.another { // no call parts it from the answer before
		s.another, chunk = false, "\n"+chunk
	}
	s.tell(c, messages.Text{Chunk: chunk})
}

// pass takes text through a joint, if there is one.
func pass(joint *splice.Joint, text string) string {
	if joint == nil {
		return text
	}
	return joint.Pass(text)
}

// flush says what the joints hold back, because nothing follows that it could repeat.
func (s *speech) flush(c actor.Context) {
	if s.joint != nil {
		s.say(c, pass(s.retold, s.joint.End()))
	}
	if s.retold != nil {
		s.say(c, s.retold.End())
		s.retold = nil
	}
}

// said is the answer under way with its words.
func (s *speech) said(text string) messages.Message {
	message := s.reply
	message.Text = text
	return message
}

// calling is the answer under way with its words and calls.
func (s *speech) calling(text string, calls []messages.ToolCall) messages.Message {
	message := s.said(text)
	message.Calls = calls
	return message
}

// handOver tells the next request all that was shown of an answer, also what a second
// try of the first one added to it, and has what it repeats of that dropped.
func (s *speech) handOver(text string) { s.carryOn(text, goOn) }

// carryOn is handOver with the words that ask for the rest.
func (s *speech) carryOn(text, ask string) {
	switch {
	case text == "" && s.joint == nil:
		return
	case s.joint == nil:
		s.turn.AddAnswer(s.said(text))
		s.turn.AddRequest(s.words(messages.FromMarvin, ask))
	case text != "":
		s.turn.Join(s.said(text))
		s.turn.AddRequest(s.words(messages.FromMarvin, ask))
	}
	s.broken += text
	s.joint = splice.New(s.broken)
}

// settle closes an answer: one that breaks off later is another one.
func (s *speech) settle() { s.joint, s.broken = nil, "" }
