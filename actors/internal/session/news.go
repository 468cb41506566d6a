package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/alarms"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/turn"
	"marvin/messages"
)

// showAlarms shows alarms at once, and stores them so that the model gets them with the next
// prompt.
func (i *incoming) showAlarms(c actor.Context, message alarms.Fired) {
	if !i.state.conversation.Policy.Person {
		return
	}
	for _, line := range message.Lines {
		i.tell(messages.Notice{Level: messages.Warning, Text: line})
	}
	if message.AlarmClock != nil {
		c.Send(message.AlarmClock, alarms.Acknowledged{})
	}
	i.state.untold = append(i.state.untold, message.Lines...)
}

// receiveNews handles news from jobs, language servers and alarms. It also answers a turn's request
// for pending messages.
func (s *session) receiveNews(c actor.Context, message any) {
	switch message := message.(type) {
	case mail.JobEnded:
		s.incoming.jobEnded(c, message)
	case mail.JobRead:
		s.state.jobRead(message.Id)
	case mail.Diagnosed:
		s.incoming.reportDiagnoses(message.Files)
	case lsp.Running:
		s.state.servers = message.Names
		s.incoming.reportDiagnoses(nil)
	case mail.TakePending:
		said, foreign := s.queue.takeSteering()
		c.Respond(turn.Words{News: s.state.jobNews(), Said: said, Foreign: foreign})
	case alarms.Fired:
		s.incoming.showAlarms(c, message)
	}
}
