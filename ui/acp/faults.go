package acp

import (
	"errors"

	"marvin/messages/acp"
)

// A [Host] returns these errors. The protocol has a code for each of them.
var (
	// ErrNoModel means that no model is available. The user can log in to a provider to get one.
	ErrNoModel = errors.New("no model provider is set up")
	// ErrNoSession means that no session has the requested ID.
	ErrNoSession = errors.New("there is no such session")
	// ErrWrong means that the parameters of a request are invalid.
	ErrWrong = errors.New("invalid params")
)

// faultOf converts a host error to a protocol error.
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
