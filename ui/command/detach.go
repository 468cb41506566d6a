package command

// detach leaves the window and not the conversation.
func (e *Engine) detach() {
	if err := e.Host.Detach(); err != nil {
		e.fail(err)
		return
	}
	e.Front.Leave()
}
