package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
)

// sayOnce is a notice that the user gets once in all conversations.
type sayOnce struct {
	about  string
	notice messages.Notice
}

// saidBefore says that the user had a notice already.
type saidBefore struct{}

// sayOnce says a notice, if no conversation did so before.
func (s *session) sayOnce(c actor.Context, message sayOnce) {
	home := s.config.Home
	task.Do(c, func() any {
		if !persistence.FirstTime(home, message.about) {
			return saidBefore{}
		}
		return message.notice
	}, func(*task.Panicked) any { return message.notice })
}
