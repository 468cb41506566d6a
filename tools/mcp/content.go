package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/tools"
)

// mostPictures is the maximum number of pictures that the model sees in one result. Further
// pictures are only stored.
const mostPictures = 8

// mostStored limits how many binary parts of a result are stored, each in its own file.
const mostStored = 100

// contents is the collected text and pictures of a server's reply. Other binary parts are stored as
// artifacts.
type contents struct {
	env      tools.Env
	tool     string
	parts    []string
	pictures []messages.Picture
	stored   int
}

// take adds one part of a reply to the contents.
func (c *contents) take(one sdk.Content) {
	switch one := one.(type) {
	case *sdk.TextContent:
		c.parts = append(c.parts, one.Text)
	case *sdk.ImageContent:
		c.picture(one.MIMEType, one.Data)
	case *sdk.AudioContent:
		c.keep("sound: ", one.MIMEType, one.Data)
	case *sdk.ResourceLink:
		c.parts = append(c.parts, strings.TrimSpace(fmt.Sprintf("[resource %s] %s %s", one.URI, one.Name, one.Description)))
	case *sdk.EmbeddedResource:
		switch {
		case one.Resource == nil:
		case one.Resource.Text == "" && strings.HasPrefix(one.Resource.MIMEType, "image/"):
			c.picture(one.Resource.MIMEType, one.Resource.Blob)
		case one.Resource.Text == "" && len(one.Resource.Blob) > 0:
			c.keep("resource "+one.Resource.URI+": ", one.Resource.MIMEType, one.Resource.Blob)
		default:
			c.parts = append(c.parts, resourceText(one.Resource))
		}
	}
}

// addStructured adds a reply's structured content as JSON. It skips content that duplicates the
// text of the reply.
func (c *contents) addStructured(value any) {
	if value == nil {
		return
	}
	encoded, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return
	}
	if only, ok := value.(map[string]any); ok && len(only) == 1 {
		for _, text := range only {
			if text == strings.Join(c.parts, "\n") {
				return
			}
		}
	}
	plain := plainValue(encoded)
	for _, part := range c.parts {
		var same any
		if json.Unmarshal([]byte(part), &same) == nil && reflect.DeepEqual(same, plain) {
			return
		}
	}
	c.parts = append(c.parts, string(encoded))
}

func plainValue(encoded []byte) (value any) {
	_ = json.Unmarshal(encoded, &value)
	return value
}

// picture adds a picture for models that accept images. It stores an invalid picture, or a picture
// beyond [mostPictures], as an artifact instead.
func (c *contents) picture(media string, data []byte) {
	shown, err := tools.Picture(c.tool, "", data)
	if err != nil || len(c.pictures) >= mostPictures {
		c.keep("a picture: ", media, data)
		return
	}
	c.pictures = append(c.pictures, shown)
	c.parts = append(c.parts, fmt.Sprintf("[a picture: %s, %d bytes]", media, len(data)))
}

// keep creates an artifact from the data, and adds a description of the artifact to the reply. It
// detects the media type from the data instead of trusting the server.
func (c *contents) keep(what, media string, data []byte) {
	if c.stored++; c.stored > mostStored {
		if c.stored == mostStored+1 {
			c.parts = append(c.parts, fmt.Sprintf("[Only the first %d non-text parts were kept.]", mostStored))
		}
		return
	}
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	about := artifacts.Artifact{Tool: c.tool, Title: what + media, Media: kind, Foreign: true}
	c.parts = append(c.parts, fmt.Sprintf("[%s%s, %d bytes]", what, media, len(data)), c.env.KeepBinary(about, data))
}
