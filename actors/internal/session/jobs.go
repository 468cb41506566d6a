package session

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/background"
)

// finished is a job that has ended but has not been reported to the model yet.
type finished struct{ id, line string }

// incoming is responsible for news from outside the conversation, such as ended jobs.
type incoming struct {
	*emitter
	config *conv.Setup
	jobs   *actor.PID
	turn   *currentTurn
}

// adopt makes the jobs actor take over the jobs that earlier processes started in the working
// directory.
func (i *incoming) adopt(c actor.Context) {
	if begin := i.state.conversation; begin.Policy.Person && begin.Dir != "" {
		c.Request(i.jobs, jobs.AdoptJobs{Dir: begin.Dir})
	}
}

// jobEnded tells the user at once that a job ended. The model learns of it with the next request.
func (i *incoming) jobEnded(c actor.Context, message mail.JobEnded) {
	line, level := message.Late, messages.Info
	if line == "" {
		line = background.DescribeEnd(message.Job)
	}
	if message.Warns || message.Job.State == tools.JobFailed || message.Job.State == tools.JobDead {
		level = messages.Warning
	}
	// Inform the running turn before the user.
	if !message.Read {
		i.state.finished = append(i.state.finished, finished{message.Job.ID, line})
		i.offer(c)
	}
	i.tell(messages.Notice{Level: level, Text: line})
	if message.Late == "" && i.config.Languages != nil { // the job may have changed any file
		c.Send(lsp.TableBeside(i.jobs), lsp.DoubtFiles{})
	}
	i.absorb(message.Usage, i.turn.runs())
}

// offer tells the running turn that a job ended. If a user is present, the next prompt can deliver
// the news. Otherwise, the running turn must deliver the news before it ends.
func (i *incoming) offer(c actor.Context) {
	i.turn.send(c, turn.PendingWords{Due: !i.state.conversation.Policy.Person})
}

// reportDiagnoses reports the running language servers and the problems in files.
func (i *incoming) reportDiagnoses(files []messages.FileProblems) {
	i.tell(messages.Diagnosed{Files: files, Servers: append([]string{}, i.state.servers...)})
}

func (k *State) jobRead(id string) {
	k.finished = slices.DeleteFunc(k.finished, func(one finished) bool { return one.id == id })
}

// jobNews returns and clears the pending reports about ended jobs.
func (k *State) jobNews() []string {
	lines := lists.Map(k.finished, func(one finished) string { return one.line })
	k.finished = nil
	return lines
}
