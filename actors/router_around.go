package actors

import "github.com/asynkron/protoactor-go/actor"

// surroundings are what is there before a conversation begins: the configuration, what all
// conversations share, and the actors that do something for them.
type surroundings struct {
	config   *setup
	pools    *pools
	servers  serverClient
	recorder *actor.PID
	ntfy     *actor.PID // nil without subscriptions
	jobs     *actor.PID
}
