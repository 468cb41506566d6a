package browser

import (
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// Any program may listen on the browser's port and send anything.
func TestMarionetteTakesNothingOnTrust(t *testing.T) {
	framed := func(message string) string { return strconv.Itoa(len(message)) + ":" + message }
	hello := framed(`{"applicationType":"gecko","marionetteProtocol":3}`)
	for said, want := range map[string]string{
		"":                                 "read from the browser: EOF",
		"hello":                            "read from the browser: EOF",
		"-5:":                              "too large",
		"99999999999:":                     "too large",
		framed("null"):                     "speaks version 0",
		framed(`{"marionetteProtocol":2}`): "speaks version 2",
		framed("{}}"):                      "invalid character",
		hello + "99:[1,1":                  "unexpected EOF",
		hello + framed("[1,7,null,null]"):  "the browser answered 7 instead of 1",
		hello + framed("{}"):               "cannot unmarshal",
		hello + framed(`[1,1,{"error":"unknown","message":"a\nb"},null]`): "does not load the page: unknown (a)",
		hello + framed(`[1,1,null,{"value":"text"}]`):                     "text",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var group errgroup.Group
		group.Go(func() error {
			connection, err := listener.Accept()
			if err != nil {
				return err
			}
			_, err = io.WriteString(connection, said)
			_ = connection.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, connection)
			_ = connection.Close()
			return err
		})
		connection, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		driver, err := newMarionette(connection)
		if err == nil {
			got, err = driver.call("WebDriver:GetPageSource", map[string]any{})
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
		_ = connection.Close()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
		_ = listener.Close()
	}
}
