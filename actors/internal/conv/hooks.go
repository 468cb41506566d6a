package conv

import (
	"marvin/tools"
	"marvin/tools/hooks"
)

// HookPlace is where the hooks of a conversation run.
func (c *Setup) HookPlace(env tools.Env) hooks.Place {
	return hooks.Place{Env: env, Client: c.Others.HookClient, Config: c.Home.State}
}

// HookEnv is what hooks may use that concern no call.
func (c *Setup) HookEnv(conversation Running) tools.Env {
	return tools.Env{
		Home: c.Home.User, State: c.Home.State, Dir: conversation.Dir, Root: conversation.Root, Now: c.Now,
		Environ: tools.Telling(c.Environ, conversation.Policy.Mode()), Held: tools.Held{Sandbox: c.Sandbox}, Approval: conversation.Policy.Approval,
	}
}
