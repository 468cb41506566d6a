package command

// detach closes the window and keeps the conversation running.
func (e *Engine) detach() {
	if err := e.Host.Detach(); err != nil {
		e.fail(err)
		return
	}
	e.Front.Leave()
}
