// Package picture makes pictures of files fit for models that see.
package picture
