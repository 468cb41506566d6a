package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"marvin/tools/internal/reason"
)

// explain rewords the error from a failed request. The new text names the host and usually gives
// advice.
func explain(ctx context.Context, host string, err error) error {
	err = withoutURL(err)
	var unknown *net.DNSError
	switch {
	case errors.Is(err, ErrRefused):
		return fmt.Errorf("%s: %w", host, refusal(err))
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not answer: %w; try again later", host, reason.InWords(context.Cause(ctx)))
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return reason.Reword(err, host+" is not known; check its spelling and the network connection")
	}
	return fmt.Errorf("cannot reach %s: %w; check the network connection, or try again later", host, reason.InWords(err))
}

// withoutURL removes the URL from a net/http error, because the URL's query may contain a key.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// refusal unwraps a [net.OpError], so that the error message does not describe the connection.
func refusal(err error) error {
	if dialled, ok := errors.AsType[*net.OpError](err); ok {
		return dialled.Err
	}
	return err
}
