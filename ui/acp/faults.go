package acp

import (
	"errors"

	"marvin/messages/acp"
)

// Errors that a [Host] returns and that have a code of their own.
var (
	// ErrNoModel means that no model can be asked, and that the user may log in to one.
	ErrNoModel = errors.New("no model provider is set up")
	// ErrNoSession means that no session has the ID.
	ErrNoSession = errors.New("there is no such session")
	// ErrWrong marks what is wrong with the parameters of a request.
	ErrWrong = errors.New("invalid params")
)

// faultOf is an error of the host as the client reads it.
func faultOf(err error) *acp.Fault {
	var known *acp.Fault
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, ErrNoModel):
		return acp.Faultf(acp.CodeAuth, "%v", err)
	case errors.Is(err, ErrNoSession):
		return acp.Faultf(acp.CodeNotFound, "%v", err)
	case errors.Is(err, ErrWrong):
		return acp.Faultf(acp.CodeParams, "%v", err)
	}
	return acp.Faultf(acp.CodeInternal, "%v", err)
}
