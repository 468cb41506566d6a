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

// onTheSpot makes the Props of an actor that runs on the goroutine of whoever sends to
// it while it is idle, instead of on one of its own; the mailbox, the order and the
// supervision are the same. Session, router and provider are such: a token passes all
// three on the goroutine that read it, where three wake-ups of the runtime's threads
// cost as much as all that is done with it. It asks of Receive what every Receive here
// promises anyway, never to block. The sessions of sub-agents are no such: a worker that starts a
// thousand of them would begin them all before it sees to anything else.
func onTheSpot(props *actor.Props) *actor.Props {
	const throughput = 300 // messages between two chances for others, as by default
	return props.Clone(actor.WithDispatcher(actor.NewSynchronizedDispatcher(throughput)))
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
