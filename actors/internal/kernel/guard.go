package kernel

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// Props makes the Props of every actor in this room: a fresh value for each
// incarnation, under the guard.
func Props(log *slog.Logger, producer func() actor.Actor) *actor.Props {
	return actor.PropsFromProducer(producer, actor.WithReceiverMiddleware(guard(log)))
}

// Synchronous makes the Props of an actor that runs on its sender's goroutine while it is idle; the
// mailbox, the order and the supervision are the same. The package comment says what it is for and
// what it costs. Sessions of sub-agents are not such actors: a worker that starts a thousand of them
// would begin them all before handling its next message.
func Synchronous(props *actor.Props) *actor.Props {
	const throughput = 300 // messages between two chances for others, as by default
	return props.Clone(actor.WithDispatcher(actor.NewSynchronizedDispatcher(throughput)))
}

// ReplaceMe is the reason of a failure that asks the parent for a fresh incarnation.
type ReplaceMe struct{ Err error }

func (r ReplaceMe) Error() string { return r.Err.Error() }

// guard keeps a panic in the last messages of an actor from breaking its end: protoactor would
// restart an actor that panics in Stopping, and report none that panics in Stopped. Other panics
// pass to the parent, with their stack in the log, which the library does not keep.
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
