package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/persistence"
)

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
