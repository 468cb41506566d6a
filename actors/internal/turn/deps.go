package turn

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/mcpservers"
)

// Deps are the dependencies of a conversation: the configuration and the shared actors.
type Deps struct {
	Config   *conv.Setup
	Pools    *call.Pools
	Servers  mcpservers.Client
	Recorder *actor.PID
	Ntfy     *actor.PID // nil without subscriptions
	Jobs     *actor.PID
}
