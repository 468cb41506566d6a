package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// filesQuestion is the id of the question that [filesOffer.offer] asks.
const filesQuestion = "files-here"

// filesOffer asks once whether Marvin may work on the files of the conversation's directory.
type filesOffer struct {
	*emitter
	questions *questions
	asking    bool // the question is open
	asked     bool // the question was asked in this process
}

// filesKept reports that the answer was stored, or why it was not.
type filesKept struct{ err error }

// offer asks about the directory's files after the first turn, so that the question does not delay
// the first prompt. The built-in assistant does only what the user says, so it needs no question.
// If no window is open, offer does not ask, because a pending question keeps the process running.
func (f *filesOffer) offer(c actor.Context) {
	conversation := &f.state.conversation
	if f.asking || f.asked || conversation.Files == nil || f.state.usage.Turns == 0 || conversation.Choice.Provider == providers.Offline {
		return
	}
	if hall, is := f.state.feed.(windowedAudience); is && !hall.Watched() {
		return
	}
	f.asked = true
	f.asking = true
	why := tools.Visible(conversation.Files.Place) + " has no project file (.git, go.mod, package.json, Makefile …) in it or above it."
	if conversation.Files.Home {
		why = "This is your home directory."
	}
	question := mail.AskUser{
		Call: filesQuestion, Title: "Work on the files of this directory?",
		Detail: why + "\n" +
			"Yes: Marvin may read and change files here, and run commands (" + conversation.Policy.Approval.Description() + ").\n" +
			"No: Marvin only chats, now and when you next start it here; /code switches file and shell tools on.",
		Always: "each time Marvin starts in this directory",
	}
	if conversation.Files.Home {
		question.Always = ""
	}
	c.Request(c.Self(), question)
}

// applyAnswer settles the question, and reports whether coding mode is on. [messages.Yes] applies
// only to this run; any other choice is stored for later runs.
func (f *filesOffer) applyAnswer(c actor.Context, choice messages.Choice) (coding bool) {
	keep := f.state.conversation.Files.Keep
	f.markSettled()
	coding = choice == messages.Yes || choice == messages.Always
	if choice != messages.Yes {
		task.Do(c, func() any { return filesKept{err: keep(coding)} }, func(panicked *task.Panicked) any { return filesKept{err: panicked} })
	}
	return coding
}

// markSettled marks the question as settled, by an answer or by a command.
func (f *filesOffer) markSettled() {
	f.asking, f.state.conversation.Files = false, nil
}

// withdrawQuestion withdraws the question so that [filesOffer.offer] can ask it again.
func (f *filesOffer) withdrawQuestion(c actor.Context) {
	if f.asking {
		f.asking, f.asked = false, false
		f.questions.retract(c, filesQuestion)
	}
}

// cancel withdraws the question, which is not asked again in this process.
func (f *filesOffer) cancel() {
	f.asking = false
	f.questions.close()
}

func (s *session) setMode(coding bool) {
	conversation := &s.state.conversation
	conversation.Policy.Coding = coding
	if coding && conversation.Dir == "" {
		conversation.Dir = s.Config.Dir
	}
	if conversation.Root == "" {
		conversation.Root = conversation.Dir
	}
	s.modeChanged()
}
