package actors

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// props makes the Props of every actor in this room: a fresh value for each
// incarnation, under the guard.
func props(log *slog.Logger, producer func() actor.Actor) *actor.Props {
	return actor.PropsFromProducer(producer, actor.WithReceiverMiddleware(guard(log)))
}

// guard keeps a panic during the end of a life from breaking the end: protoactor
// would restart an actor that panics in Stopping, and tell nobody of one that
// panics in Stopped. Other panics pass on to the parent, but with their stack in
// the log, which the library does not keep.
func guard(log *slog.Logger) actor.ReceiverMiddleware {
	return func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(c actor.ReceiverContext, envelope *actor.MessageEnvelope) {
			defer func() {
				reason := recover()
				if reason == nil {
					return
				}
				if _, wanted := reason.(replaceMe); !wanted {
					log.Error("actor panicked", "actor", c.Self().Id, "message", fmt.Sprintf("%T", envelope.Message),
						"reason", fmt.Sprint(reason), "stack", string(debug.Stack()))
				}
				switch envelope.Message.(type) {
				case *actor.Stopping, *actor.Stopped, *actor.Restarting:
				default:
					panic(reason)
				}
			}()
			next(c, envelope)
		}
	}
}
