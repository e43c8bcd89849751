#ifndef STAND_IN_RAYLIB_H
#define STAND_IN_RAYLIB_H
#include <stdbool.h>
typedef struct Vector2 { float x, y; } Vector2;
typedef struct Color { unsigned char r, g, b, a; } Color;
#define RAYWHITE ((Color){245, 245, 245, 255})
#define MAROON ((Color){190, 33, 55, 255})
enum { KEY_HOME = 268 };
void InitWindow(int width, int height, const char *title);
bool WindowShouldClose(void);
void CloseWindow(void);
float GetFrameTime(void);
bool IsKeyPressed(int key);
void BeginDrawing(void);
void EndDrawing(void);
void ClearBackground(Color color);
void DrawCircleV(Vector2 center, float radius, Color color);
#endif
