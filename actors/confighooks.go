package actors

import (
	"marvin/tools"
	"marvin/tools/hooks"
)

// hookPlace is where the hooks of a conversation run.
func (c *setup) hookPlace(env tools.Env) hooks.Place {
	return hooks.Place{Env: env, Client: c.Others.HookClient, Config: c.Home.State}
}

// hookEnv is what hooks may use that concern no call.
func (c *setup) hookEnv(conversation runningConversation) tools.Env {
	return tools.Env{
		Home: c.Home.User, State: c.Home.State, Dir: conversation.Dir, Root: conversation.Root, Now: c.Now,
		Environ: tools.Telling(c.Environ, conversation.Policy.mode()), Held: tools.Held{Sandbox: c.Sandbox}, Approval: conversation.Policy.Approval,
	}
}
