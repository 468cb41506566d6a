package kernel

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// Props returns the properties of an actor that is protected by [guard]. The producer makes a new
// actor value for each incarnation.
func Props(log *slog.Logger, producer func() actor.Actor) *actor.Props {
	return actor.PropsFromProducer(producer, actor.WithReceiverMiddleware(guard(log)))
}

// Synchronous returns the Props of an actor that handles messages on the sender's goroutine (see
// the package comment). Mailbox, message order and supervision do not change. A sub-agent's session
// must not be synchronous: a worker that starts a thousand sub-agents would be blocked while the
// sub-agents start.
func Synchronous(props *actor.Props) *actor.Props {
	const throughput = 300 // messages between yields; the library's default
	return props.Clone(actor.WithDispatcher(actor.NewSynchronizedDispatcher(throughput)))
}

// ReplaceMe is a panic value that asks the parent for a new incarnation.
type ReplaceMe struct{ Err error }

func (r ReplaceMe) Error() string { return r.Err.Error() }

// guard recovers from panics that occur while an actor processes its last messages. Without guard,
// protoactor would restart an actor that panics in Stopping, and would not report an actor that
// panics in Stopped. Other panics pass to the parent. The middleware also logs the stack of each
// panic, which protoactor would drop.
func guard(log *slog.Logger) actor.ReceiverMiddleware {
	return func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(c actor.ReceiverContext, envelope *actor.MessageEnvelope) {
			defer func() {
				reason := recover()
				if reason == nil {
					return
				}
				if _, wanted := reason.(ReplaceMe); !wanted {
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
