package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/persistence"
)

// sayOnce shows a notice to the user if no conversation has shown it before.
func (s *session) sayOnce(c actor.Context, message mail.SayOnce) {
	home := s.Config.Home
	task.Do(c, func() any {
		if !persistence.FirstTime(home, message.About) {
			return mail.SaidBefore{}
		}
		return message.Notice
	}, func(*task.Panicked) any { return message.Notice })
}
