package conv

import (
	"marvin/tools"
	"marvin/tools/hooks"
)

// HookPlace returns a hook environment that contains env.
func (c *Setup) HookPlace(env tools.Env) hooks.HookEnv {
	return hooks.HookEnv{Env: env, Client: c.Others.HookClient, Config: c.Home.State}
}

// HookEnv returns the environment for hooks that do not belong to a tool call.
func (c *Setup) HookEnv(conversation LiveConversation) tools.Env {
	return tools.Env{
		Home: c.Home.User, State: c.Home.State, Dir: conversation.Dir, Root: conversation.Root, Now: c.Now,
		Environ: tools.WithMode(c.Environ, conversation.Policy.Mode()), Held: tools.Held{Sandbox: c.Sandbox}, Approval: conversation.Policy.Approval,
	}
}
