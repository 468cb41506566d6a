// Package permissions implements "marvin permissions".
package permissions
