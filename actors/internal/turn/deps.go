package turn

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/mcpservers"
)

// Deps are what is there before a conversation begins: the configuration, what all
// conversations share, and the actors that do something for them.
type Deps struct {
	Config   *conv.Setup
	Pools    *call.Pools
	Servers  mcpservers.Client
	Recorder *actor.PID
	Ntfy     *actor.PID // nil without subscriptions
	Jobs     *actor.PID
}
