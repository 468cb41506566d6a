package actors

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

// What a session is told of background work.
type (
	// jobEnded comes once for each job. The usage is what a review cost; it wrote that
	// into usage.json itself.
	jobEnded struct {
		job   tools.Job
		usage messages.Usage
		read  bool // the model knows
		// late is told instead of a job: what a language server found after a call was over.
		late string
	}
	// diagnosed is what language servers say of files now.
	diagnosed struct{ files []messages.FileProblems }
	// jobRead says that the model read how a job ended, by a tool.
	jobRead struct{ id string }
)

// finished is a job whose end the model does not know of yet.
type finished struct{ id, line string }

// adopt has the jobs of earlier Marvins in the working directory looked after.
func (s *session) adopt(c actor.Context) {
	if begin := s.state.conversation; begin.Policy.Person && begin.Dir != "" {
		c.Request(s.jobs, adoptJobs{dir: begin.Dir})
	}
}

// jobEnded tells the model with the next request, and people at once.
func (s *session) jobEnded(c actor.Context, message jobEnded) {
	line, level := message.late, messages.Info
	if line == "" {
		line = background.Ended(message.job)
	}
	if message.job.State == tools.JobFailed || message.job.State == tools.JobDead {
		level = messages.Warning
	}
	// The running turn hears of it before people do: whoever saw the notice may count on it that
	// an answer which comes now is not the end of the turn.
	if !message.read {
		s.state.finished = append(s.state.finished, finished{message.job.ID, line})
		s.offerNews(c) // guard: the end of a job is told in the turn
	}
	s.tell(messages.Notice{Level: level, Text: line})
	if message.late == "" && s.config.Languages != nil { // what it wrote nobody knows
		c.Send(languagesBeside(s.jobs), doubtFiles{})
	}
	s.absorb(message.usage)
}

func (s *session) jobRead(message jobRead) {
	s.state.finished = slices.DeleteFunc(s.state.finished, func(one finished) bool { return one.id == message.id })
}

// jobNews is what the model is told of jobs before a prompt, once.
func (s *session) jobNews() []string {
	var lines []string
	for _, one := range s.state.finished {
		lines = append(lines, one.line)
	}
	s.state.finished = nil
	return lines
}

// absorb adds what a review cost, or a correction, to the sums of the session. A turn that runs began
// with the sums before it and goes on reporting them, so it is added to those too.
func (s *session) absorb(usage messages.Usage) {
	if nothing(usage) {
		return
	}
	if s.router != nil {
		s.state.beside = s.state.beside.Plus(usage)
	}
	s.state.conversation.Spending.pay(usage.Cost)
	s.state.usage = s.state.usage.Plus(usage)
	s.state.tell(s.config.Now(), messages.UsageChanged{Usage: s.state.usage, Context: s.state.context})
}

// nothing says that a usage changes no sum.
func nothing(usage messages.Usage) bool {
	return usage.Turns == 0 && usage.Cost == 0 && usage.Estimated == 0 && usage.InputTokens == 0 && usage.CachedTokens == 0 && usage.OutputTokens == 0
}

// tellDiagnosed tells what language servers say of files, and which of them run.
func tellDiagnosed(s *session, message any) {
	var files []messages.FileProblems
	switch message := message.(type) {
	case diagnosed:
		files = message.files
	case languagesRun:
		s.state.servers = message.names
	}
	s.tell(messages.Diagnosed{Files: files, Servers: append([]string{}, s.state.servers...)})
}
